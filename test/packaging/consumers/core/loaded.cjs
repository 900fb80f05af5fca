const isTestingLoaded = () => Object.keys(require.cache).some((file) => /sluice[/\\]testing/.test(file));

require('@sluice/core');
const main = isTestingLoaded();
require('@sluice/testing');

console.log(JSON.stringify({ main, testing: isTestingLoaded() }));
