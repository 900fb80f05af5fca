import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './root.mjs';

/** @typedef {{ readonly typescript: number, readonly lua: number }} Lines */
/** @typedef {{ readonly room: string, readonly lines: Lines, readonly budget: Lines | undefined }} Room */

const NONE = { typescript: 0, lua: 0 };
/** The testing kit runs in tests of stores, and a generated file has the lines of its sources. */
const UNCOUNTED = /[.]spec[.]ts$|^packages\/(core\/src\/)?testing\/|\/lua\/scripts[.]ts$|\/scripts\/scripts[.]ts$/;

/**
 * The lines of each room beside its budget. A file belongs to the deepest room whose folder it is in; without one it is in
 * the room of its package, which has no budget.
 *
 * @param {readonly string[]} files paths from the root
 * @param {(file: string) => string} read
 * @param {Readonly<Record<string, Lines>>} budgets by folder
 * @returns {readonly Room[]}
 */
export function roomsOf(files, read, budgets) {
  const folders = Object.keys(budgets).toSorted((one, other) => other.length - one.length);
  /** @type {Map<string, { typescript: number, lua: number }>} */
  const counts = new Map(Object.keys(budgets).map((room) => [room, { ...NONE }]));
  for (const file of files) {
    if (!/[.](ts|lua)$/.test(file) || UNCOUNTED.test(file)) continue;
    const room = folders.find((folder) => file.startsWith(`${folder}/`)) ?? file.split('/').slice(0, 2).join('/');
    const lines = counts.get(room) ?? { ...NONE };
    lines[file.endsWith('.lua') ? 'lua' : 'typescript'] += read(file).split('\n').length - 1;
    counts.set(room, lines);
  }
  return [...counts].map(([room, lines]) => ({ room, lines, budget: budgets[room] }));
}

/**
 * What is wrong with the rooms, a sentence for each.
 *
 * @param {readonly Room[]} rooms
 */
export function excessesOf(rooms) {
  return rooms.flatMap(({ room, lines, budget }) => {
    if (budget === undefined) return [`${room} has no budget: add it to scripts/lines.json`];
    return /** @type {const} */ (['typescript', 'lua'])
      .filter((language) => lines[language] > budget[language])
      .map(
        (language) =>
          `${room} has ${lines[language]} lines of ${language}, ${lines[language] - budget[language]} above its budget: delete some, or raise the budget in scripts/lines.json in a commit of its own that says why`,
      );
  });
}

/** @param {Room} room */
function rowOf({ room, lines, budget }) {
  const cells = [lines.typescript, budget?.typescript ?? '-', lines.lua, budget?.lua ?? '-'];
  return room.padEnd(42) + cells.map((cell) => String(cell).padStart(12)).join('');
}

/** Prints what is above a budget, and returns an exit code. */
export function checkLines() {
  const excesses = excessesOf(readRooms());
  for (const excess of excesses) console.error(excess);
  return excesses.length === 0 ? 0 : 1;
}

/** Prints each room with its lines and budget. */
function printLines() {
  console.log('room'.padEnd(42) + ['TypeScript', 'budget', 'Lua', 'budget'].map((cell) => cell.padStart(12)).join(''));
  for (const room of readRooms()) console.log(rowOf(room));
}

function readRooms() {
  const budgets = JSON.parse(readFileSync(join(root, 'scripts', 'lines.json'), 'utf8'));
  const files = readdirSync(join(root, 'packages')).flatMap((name) => sourcesIn(`packages/${name}/src`));
  return roomsOf(files, (file) => readFileSync(join(root, file), 'utf8'), budgets);
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
}

// npm run tool -- lines: prints the lines of each room, and exits with 1 above a budget.
if (isMain(import.meta.url)) {
  printLines();
  process.exitCode = checkLines();
}
