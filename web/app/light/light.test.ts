import { expect, it } from 'vitest';
import { isLightPage, type Handle } from './light.ts';

const shown = (viewer: object | null | undefined, handle?: Handle) =>
  ({
    matches: [{ route: { id: 'root' } }, { route: { id: 'page', handle } }],
    loaderData: viewer === undefined ? {} : { root: { viewer } },
  }) as unknown as Parameters<typeof isLightPage>[0]; // only these fields are read

it('is light for visitors known to be signed out', () => {
  expect(isLightPage(shown(null))).toBe(true);
  expect(isLightPage(shown({ id: '1' }))).toBe(false);
});

it('is not light when the page needs the application or the viewer is unknown', () => {
  expect(isLightPage(shown(null, { needsApp: true }))).toBe(false);
  expect(isLightPage(shown(null, {}))).toBe(true);
  expect(isLightPage(shown(undefined))).toBe(false);
});
