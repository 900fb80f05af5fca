// Given to `pnpm pack`. Names the repository in what is published: npm compares it with the workflow's for provenance.
module.exports = {
  hooks: {
    /** @param {Record<string, unknown> & { name: string }} manifest */
    beforePacking(manifest) {
      const url = process.env.SLUICE_REPOSITORY;
      if (!url) return manifest;
      const directory = `packages/${manifest.name.replace('@sluice/', '')}`;
      return { ...manifest, repository: { type: 'git', url: `git+${url}.git`, directory } };
    },
  },
};
