/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { sl: ['sliding-window-log'] },
  emitters: { sl: ['times-emitter', 'emitTimes'] },
};
