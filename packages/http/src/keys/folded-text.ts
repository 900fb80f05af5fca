/** A text without the blanks around it, in one case, in the compatibility form of Unicode. */
export function foldedText(text: string): string {
  // To upper case first, because some letters have two lower-case forms.
  return text.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC');
}
