/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = { twins: { lb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket', 'leaky-bucket'] } };
