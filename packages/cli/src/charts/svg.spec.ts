import { escapeText, tag } from './svg.js';

describe('escapeText', () => {
  it('lets no text end an attribute or begin an element', () => {
    expect(escapeText(`<a b="c" d='e'>&`)).toBe('&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;');
  });

  it('shows what turns text around or is no letter by its number', () => {
    expect(escapeText('a\u0000b\u202ec')).toBe('a\\u{0}b\\u{202e}c');
  });
});

describe('tag', () => {
  it('leaves out undefined attributes and rounds lengths', () => {
    expect(tag('text', { x: 1.26, y: undefined, class: '"' }, 'a')).toBe('<text x="1.3" class="&#34;">a</text>');
  });
});
