import { describe, expect, it } from 'vitest';
import { pixel } from '#server/test/factories/content.ts';
import { imageSize } from './image-size.ts';

const base64 = (text: string) => Buffer.from(text, 'base64');

describe('imageSize', () => {
  it('reads the headers of the formats we serve', () => {
    expect(imageSize(pixel(), 'image/png')).toEqual({ width: 1, height: 1 });
    expect(imageSize(base64('R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIChFEAOw=='), 'image/gif')).toEqual({
      width: 3,
      height: 2,
    });
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0]);
    expect(imageSize(jpeg, 'image/jpeg')).toEqual({ width: 30, height: 20 });
    expect(imageSize(base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='), 'image/webp')).toEqual({
      width: 1,
      height: 1,
    });
  });

  it('says nothing of what is cut short or unknown', () => {
    for (const mime of ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif', 'text/plain'])
      for (const bytes of [
        Buffer.alloc(0),
        Buffer.alloc(4),
        Buffer.alloc(64),
        Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      ])
        expect(imageSize(bytes, mime)).toBeUndefined();
  });
});
