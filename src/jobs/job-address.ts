/** The address at which a client can follow a job. */
export function jobAddress({ baseUrl }: { readonly baseUrl: string }, jobId: string): string {
  return `${baseUrl}/admin/v1/jobs/${jobId}`;
}
