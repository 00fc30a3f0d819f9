/** Names that try to leave the text in which a page shows them. */
export const hostileNames = {
  script: '<script>document.title="hacked"</script>',
  picture: '<img src=x onerror=document.title="hacked">',
  attribute: `" onfocus="document.title='hacked'" autofocus x="`,
  quote: `' onfocus='document.title="hacked"' autofocus x='`,
  tag: '</title></style></script></main><h1>hacked</h1>',
  comment: '<!-- hacked',
  template: '#{document.title="hacked"}{{constructor.constructor("x")()}}',
  entity: '&lt;script&gt;&#60;b&#62;&amp;amp;',
  address: 'javascript:document.title="hacked"',
  long: `${'W'.repeat(180)}`,
  arabic: 'شركة المثال العربية للتجارة',
  combining: `Z${'\u0300'.repeat(25)}algo`,
  emoji: '👍🏽 🏳️ 𝕷𝖎𝖓𝖉',
} as const;
