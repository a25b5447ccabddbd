import { describe, expect, it } from 'vitest';
import { showProgress } from './progress.ts';

function sink(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => {
    written.push(text);
    return true;
  };
  return { written, out: { write, isTTY } };
}

describe('the progress of a command', () => {
  it('is one line on a terminal, and gone at the end', () => {
    const { written, out } = sink(true);
    const progress = showProgress(out);
    progress.tell(1, 4, 'people');
    progress.tell(4, 4, 'files');
    progress.end();
    const text = written.join('');
    expect(text).toContain('[######..................]  25 % people');
    expect(text).toContain('[########################] 100 % files');
    expect(text).not.toContain('\n');
    expect(text).not.toMatch(/files$/);
  });

  it('is a plain line every ten seconds elsewhere', () => {
    const { written, out } = sink(false);
    let at = 0;
    const progress = showProgress(out, () => at);
    for (at = 0; at <= 25_000; at += 1_000) progress.tell(at, 50_000, 'posts');
    progress.end();
    expect(written).toEqual(['20 %: posts\n', '40 %: posts\n']);
  });
});
