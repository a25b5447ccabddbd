import { squareOf, type Crop } from './crop.ts';

/** Edge of the square that is sent; the server keeps no larger one. */
const EDGE = 512;
const MAX_PIXELS = 25_000_000;
/** What a browser is asked to open: much more than the server takes, for it is made small before it is sent. */
const MAX_BYTES = 30 * 1024 * 1024;

/** A picture from somebody's device, upright; undefined for what is none, is broken or is too large to be opened. */
export async function openPicture(file: Blob): Promise<ImageBitmap | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  try {
    const image = new Image();
    image.src = await dataUrlOf(file);
    // Its header is enough to tell the size: a few bytes can stand for more pixels than there is memory.
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
    });
    const { naturalWidth, naturalHeight } = image;
    if (naturalWidth === 0 || naturalWidth * naturalHeight > MAX_PIXELS) return undefined;
    return await createImageBitmap(image);
  } catch {
    return undefined;
  }
}

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });
}

/** Draws what a crop leaves of a picture over the whole of a square canvas. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, edge } = squareOf(picture, crop);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, left, top, edge, edge, 0, 0, canvas.width, canvas.height);
}

/** What a crop leaves of a picture, as a file to send. */
export async function croppedFile(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = EDGE;
  drawCrop(canvas, picture, crop);
  // A browser that cannot write WebP gives PNG.
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92));
  if (!file) throw new Error('the canvas gave no picture');
  return file;
}
