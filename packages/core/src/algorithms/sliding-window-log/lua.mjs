/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { sl: ['sliding-window-log'] },
  units: { sl: { fast: ['fast-path', 'sliding-window-log.fast-units'], general: ['sliding-window-log'] } },
};
