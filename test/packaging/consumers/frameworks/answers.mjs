/** Prints the statuses that three requests get, each by a call. */
export async function printAnswers(request) {
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await request()).status);
  console.log(JSON.stringify(statuses));
}

/** Prints what a server answers, and closes it. */
export async function printAnswersOf(server) {
  await printAnswers(() => fetch(`http://127.0.0.1:${server.address().port}/`));
  server.close();
  server.closeAllConnections();
}
