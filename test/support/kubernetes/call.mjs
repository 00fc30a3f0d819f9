// What stands for `kubectl` and `docker` on the PATH of a guide that is walked: the test answers.
import { request } from 'node:http';

const [program, ...args] = process.argv.slice(2);
const socketPath = process.env.GUIDE_SOCKET;
const call = request({ socketPath, method: 'POST', path: '/' }, async (answer) => {
  let text = '';
  for await (const chunk of answer) text += chunk;
  const { code, stdout, stderr } = JSON.parse(text);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
call.end(JSON.stringify({ program, args, cwd: process.cwd() }));
