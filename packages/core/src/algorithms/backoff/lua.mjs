/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = { twins: { bo: ['backoff'] } };
