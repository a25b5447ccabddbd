import { TextDecoder } from 'node:util';

/**
 * Reads the charset declared in the page. A UTF-16 label must be wrong, because the declaration itself was readable.
 */
function declaredCharset(head: string): string | undefined {
  const label =
    /<meta[^>]*?\scharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /<meta[^>]*?content\s*=\s*["'][^"'>]*?charset=([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // unknown charset label
  }
}

/** Decodes a page by its byte order mark, Content-Type or own declaration, else as UTF-8 or Windows-1252. */
export function decodePage(bytes: Buffer, type: string): string {
  const mark = bytes.subarray(0, 3).toString('latin1');
  const marked = mark.startsWith('\xFE\xFF')
    ? 'utf-16be'
    : mark.startsWith('\xFF\xFE')
      ? 'utf-16le'
      : mark === '\xEF\xBB\xBF'
        ? 'utf-8'
        : undefined;
  const sent = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  const decoder =
    decoderOf(marked) ?? decoderOf(sent) ?? decoderOf(declaredCharset(bytes.subarray(0, 4096).toString('latin1')));
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
