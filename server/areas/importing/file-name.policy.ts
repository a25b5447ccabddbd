import { extensionOf, mediaOfExtension } from '#server/outside/media-type.data.ts';

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

export const isPictureName = (path: string) => PICTURE.test(path);

/** Recordings, captions and documents. */
export const isMediaName = (path: string) => mediaOfExtension(extensionOf(path)) !== undefined;
