import { expect, it } from 'vitest';
import { dragged, MAX_ZOOM, MIDDLE, squareOf, zoomed } from './crop.ts';

const wide = { width: 300, height: 100 };

it('cuts the largest square around the middle', () => {
  expect(squareOf(wide, MIDDLE)).toEqual({ left: 100, top: 0, edge: 100 });
  expect(squareOf({ width: 80, height: 200 }, MIDDLE)).toEqual({ left: 0, top: 60, edge: 80 });
});

it('follows the drag up to the edge of the picture', () => {
  expect(squareOf(wide, dragged(wide, MIDDLE, { across: 0.5, down: 0.5 }))).toEqual({ left: 50, top: 0, edge: 100 });
  expect(squareOf(wide, dragged(wide, MIDDLE, { across: -9, down: 0 }))).toEqual({ left: 200, top: 0, edge: 100 });
  const square = { width: 50, height: 50 };
  expect(dragged(square, MIDDLE, { across: 1, down: 1 })).toEqual(MIDDLE);
});

it('zooms around the centre and stays within the picture', () => {
  const at = { zoom: 1, x: 0, y: 0.5 };
  expect(squareOf(wide, zoomed(wide, at, 2))).toEqual({ left: 25, top: 25, edge: 50 });
  expect(squareOf(wide, zoomed(wide, { zoom: 2, x: 1, y: 1 }, 1))).toEqual({ left: 200, top: 0, edge: 100 });
  expect([zoomed(wide, at, 99).zoom, zoomed(wide, at, 0).zoom]).toEqual([MAX_ZOOM, 1]);
});
