/**
 * A tab for each framework: the package, and whose README has the program.
 *
 * @type {readonly (readonly [title: string, name: string])[]}
 */
const TABS = [
  ['Express', 'express'],
  ['Fastify', 'fastify'],
  ['NestJS', 'nestjs'],
  ['Hono', 'hono'],
  ['No framework', 'core'],
];

/**
 * The first page of the site: what to install and to write, a picture, the first program for each framework, and the rest
 * of README.md.
 *
 * @param {string} readme
 * @param {(name: string) => string} readmeOf a package
 */
export function homePage(readme, readmeOf) {
  const [, lead, before = '', install, program, rest] =
    /^# .+\n\n([^]+?)\n\n([^]*?)```sh\n([^]+?)\n```\n\n```ts\n([^]+?)```\n([^]+)$/.exec(readme) ?? [];
  if (lead === undefined || install === undefined || program === undefined || rest === undefined) {
    throw new Error('README.md must begin with a sentence, a block of sh and a block of ts: site/home-page.mjs');
  }
  const command = install.match(/^npm install \S+/m)?.[0];
  const remark = install.match(/^# (.+)$/m)?.[1];
  const line = program.match(/^app\.use\(.+$/m)?.[0];
  const tabs = TABS.map(([title, name]) => {
    const code = name === 'express' ? program : firstProgram(readmeOf(name));
    return `\`\`\`ts [${title}]\n// npm install @sluice/${name}\n${code}\`\`\``;
  });
  return `---
layout: home
title: Sluice
titleTemplate: rate limiting for Node
---

<main>
<div class="first-screen">
<div class="words">

# Sluice

${lead}

\`\`\`sh
${command}
\`\`\`

\`\`\`ts
${line}
\`\`\`

${remark === undefined ? '' : `<p class="remark">${inline(remark)}.</p>`}

[Begin](./guide/getting-started.md){.way .main} [Try limits here](./playground.md){.way} [All pages](./pages.md){.way}

</div>
<MovingPicture />
</div>

${before}## The first program

::: code-group

${tabs.join('\n\n')}

:::
${rest}
</main>
`;
}

/** @param {string} readme */
function firstProgram(readme) {
  return readme.match(/^```ts\n([^]+?)```/m)?.[1] ?? '';
}

/** @param {string} text */
function inline(text) {
  return text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
