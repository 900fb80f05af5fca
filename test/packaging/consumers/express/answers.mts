import type { Server } from 'node:http';

/** Prints what three requests get. */
export async function printAnswers(server: Server): Promise<void> {
  const { port } = server.address() as { port: number };
  const answers: Response[] = [];
  for (let request = 0; request < 3; request++) answers.push(await fetch(`http://127.0.0.1:${port}`));
  server.close();

  console.log(
    JSON.stringify({
      statuses: answers.map(({ status }) => status),
      policies: answers.map((answer) => answer.headers.get('ratelimit-policy')),
      names: answers.map((answer) => answer.headers.get('ratelimit')?.match(/"\w+";r=\d+/g)),
    }),
  );
}
