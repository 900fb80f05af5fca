import { TOKENS } from './api.js';
import { sendTask } from './agents.js';

// npm run agents -- http://localhost:3000 [http://localhost:3001 …]
const urls = process.argv.slice(2);
if (urls.length === 0) throw new Error('Name the API: npm run agents -- http://localhost:3000');

/** Each agent sends five tasks, one after the other. */
const TASKS = 5;

const startedAt = performance.now();
const counts = await Promise.all(
  [...TOKENS.keys()].map(async (token, index) => {
    let requests = 0;
    for (let task = 0; task < TASKS; task += 1) {
      const sent = await sendTask(urls[(index + task) % urls.length]!, token);
      requests += sent.requests;
    }
    return requests;
  }),
);
const total = counts.reduce((before, each) => before + each, 0);
console.log(
  `${TOKENS.size} agents have sent ${TASKS} tasks each by ${total} requests, in ${((performance.now() - startedAt) / 1e3).toFixed(1)} s. ` +
    `The agent that has sent most has sent ${Math.max(...counts)} requests, and the one that has sent least ${Math.min(...counts)}.`,
);
