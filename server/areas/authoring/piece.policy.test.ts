import { PieceDoc } from '@officium/contract/authoring';
import { expect, it } from 'vitest';
import { MAX_FILES, type PieceImage, withFile } from './piece.policy.ts';

const file = (nth: number): PieceImage => {
  const path = `images/${nth}.webp`;
  return { path, key: path, mime: 'image/webp', bytes: 1, hash: path };
};

it('drops the oldest files that no text shows when a draft has too many', () => {
  const body = { en: '![A picture](images/1.webp)' };
  const doc = PieceDoc.parse({ kind: 'lesson', slug: 'one', title: { en: 'One' }, body });
  let images: PieceImage[] = [];
  for (let nth = 0; nth < MAX_FILES + 3; nth += 1) images = withFile({ ...doc, images, bodyFiles: {} }, file(nth));
  expect(images).toHaveLength(MAX_FILES);
  expect(images.slice(0, 3).map(({ path }) => path)).toEqual(['images/1.webp', 'images/4.webp', 'images/5.webp']);
  expect(withFile({ ...doc, images, bodyFiles: {} }, file(5)).at(-1)).toEqual(file(5));
});
