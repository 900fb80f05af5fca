import { sidebar } from '../../site/sidebar.mjs';

it('the sidebar has a group for each heading, and an entry for each page', () => {
  const index = `# Documentation

Text with a [link](proof.md).

## Start

- [Express](guide/express.md): the first page

## Inside

- [Decisions](decisions/README.md)
- [contributing](../CONTRIBUTING.md), [site](https://example.com)
`;

  expect(sidebar(index)).toEqual([
    { text: 'Start', items: [{ text: 'Express', link: '/guide/express' }] },
    {
      text: 'Inside',
      items: [
        { text: 'Decisions', link: '/decisions/' },
        { text: 'Contributing', link: '/contributing' },
      ],
    },
  ]);
});
