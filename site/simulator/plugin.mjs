import { bundleForBrowser } from './bundle.mjs';

/** @type {Record<string, () => Promise<string>>} */
const modules = {
  /** In a file of its own: a page loads it when it is needed. */
  'virtual:simulator': () => bundleForBrowser('simulator'),
  /** Drawn while the site is built. */
  'virtual:moving-picture': async () => {
    const code = await bundleForBrowser('moving-picture');
    const { movingPicture } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    return `export const movingPicture = ${JSON.stringify(movingPicture())};`;
  },
};

/** The simulator and its picture, as modules that pages import: a plugin of Vite. */
export function simulatorPlugin() {
  return {
    name: 'sluice-simulator',
    resolveId: (/** @type {string} */ id) => (id in modules ? `\0${id}` : undefined),
    load: (/** @type {string} */ id) => modules[id.replace('\0', '')]?.(),
  };
}
