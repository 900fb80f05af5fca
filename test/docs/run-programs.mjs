import { pathToFileURL } from 'node:url';

// Runs programs one after the other, and says between them where one ends.
for (const path of process.argv.slice(2)) {
  await import(pathToFileURL(path).href);
  console.log('\0');
}
