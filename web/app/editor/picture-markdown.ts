/** A picture as Markdown. Its alternative text becomes one line without markup of its own. */
export function pictureMarkdown({ url, alt }: { url: string; alt: string }): string {
  const text = alt
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]*_`<&~]/g, '\\$&');
  return `![${text}](${url})`;
}

/** A text with another paragraph at its end. */
export function withParagraph(text: string, paragraph: string): string {
  const before = text.trimEnd();
  return before === '' ? paragraph : `${before}\n\n${paragraph}`;
}
