require('@sluice/core');
const names = Object.keys(require.cache).map((file) => /node_modules[/\\](?!@sluice)([^/\\]+)/.exec(file)?.[1]);

console.log(JSON.stringify([...new Set(names.filter((name) => name !== undefined))]));
