import { printable } from './printable.js';

describe('printable', () => {
  it('shows control characters as codes, so that a text cannot write to the terminal', () => {
    expect(printable('GET /\u001b[2J\r\n\u009b1m\u202etxt')).toBe(
      String.raw`GET /\u{1b}[2J\u{d}\u{a}\u{9b}1m\u{202e}txt`,
    );
  });

  it('leaves all other texts as they are', () => {
    expect(printable('GET /straße × 日本 😀')).toBe('GET /straße × 日本 😀');
  });
});
