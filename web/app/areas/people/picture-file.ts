import { squareOf, type Crop } from './crop.ts';

/** Edge of the uploaded square; the server stores none larger. */
const EDGE = 512;
const MAX_PIXELS = 25_000_000;
/** Largest file the browser opens. Far above the server's limit, because it is downscaled before the upload. */
const MAX_BYTES = 30 * 1024 * 1024;

/** Opens a local picture upright; undefined for one that is not a picture, broken or too large. */
export async function openPicture(file: Blob): Promise<ImageBitmap | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  try {
    const image = new Image();
    image.src = await dataUrlOf(file);
    // The header is enough to read the size: a few bytes can describe more pixels than fit in memory.
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

/** Draws the cropped part of a picture onto a square canvas. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, edge } = squareOf(picture, crop);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, left, top, edge, edge, 0, 0, canvas.width, canvas.height);
}

/** The cropped part of a picture as a file. */
export async function croppedFile(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = EDGE;
  drawCrop(canvas, picture, crop);
  // Browsers without WebP encoding produce PNG.
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92));
  if (!file) throw new Error('canvas.toBlob returned nothing');
  return file;
}
