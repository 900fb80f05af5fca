import { writeFileSync } from 'node:fs';
import { chart } from './chart.js';
import { pictureOf } from './files.js';
import { subjects } from './subjects.js';

// Run by `npm run tool -- pictures`: draws docs/guide/images with the algorithms.
for (const subject of subjects) {
  writeFileSync(pictureOf(subject), chart(subject));
  console.log(`docs/guide/images/${subject.name}.svg`);
}
