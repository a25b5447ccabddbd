export type Size = { width: number; height: number };

/** The visible part of a picture: `zoom` from 1 (fills the square), `x` and `y` from 0 (start) to 1 (end). */
export type Crop = { zoom: number; x: number; y: number };

export const MIDDLE: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const MAX_ZOOM = 4;

/** The square that a crop cuts from a picture, in pixels. */
export function squareOf({ width, height }: Size, { zoom, x, y }: Crop): { left: number; top: number; edge: number } {
  const edge = Math.min(width, height) / zoom;
  return { left: (width - edge) * x, top: (height - edge) * y, edge };
}

/** The crop after dragging by multiples of the square's width and height. */
export function dragged(size: Size, crop: Crop, by: { across: number; down: number }): Crop {
  const { left, top, edge } = squareOf(size, crop);
  return {
    ...crop,
    x: share(left - by.across * edge, size.width - edge),
    y: share(top - by.down * edge, size.height - edge),
  };
}

/** The crop at another zoom, around its centre. */
export function zoomed(size: Size, crop: Crop, zoom: number): Crop {
  const before = squareOf(size, crop);
  const wanted = Math.min(Math.max(zoom, 1), MAX_ZOOM);
  const edge = Math.min(size.width, size.height) / wanted;
  const shift = (before.edge - edge) / 2;
  return {
    zoom: wanted,
    x: share(before.left + shift, size.width - edge),
    y: share(before.top + shift, size.height - edge),
  };
}

/** An axis without room to move stays centred. */
function share(at: number, room: number): number {
  return room < 0.5 ? 0.5 : Math.min(Math.max(at / room, 0), 1);
}
