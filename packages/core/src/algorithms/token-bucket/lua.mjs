/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { tb: ['token-bucket.expiry', 'moving-bucket', 'token-bucket'] },
  emitters: { tb: ['token-bucket-emitter', 'emitTokenBucket'] },
};
