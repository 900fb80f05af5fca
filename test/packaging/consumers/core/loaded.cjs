const isTestingLoaded = () => Object.keys(require.cache).some((file) => file.endsWith('testing.js'));

require('@sluice/core');
const main = isTestingLoaded();
require('@sluice/core/testing');

console.log(JSON.stringify({ main, testing: isTestingLoaded() }));
