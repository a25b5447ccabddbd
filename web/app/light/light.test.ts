import { expect, it } from 'vitest';
import { isLightPage, type Handle } from './light.ts';

const shown = (viewer: object | null | undefined, handle?: Handle) =>
  ({
    matches: [{ route: { id: 'root' } }, { route: { id: 'page', handle } }],
    loaderData: viewer === undefined ? {} : { root: { viewer } },
  }) as unknown as Parameters<typeof isLightPage>[0]; // of what the router knows, all that is read

it('is light for whoever is known not to be signed in', () => {
  expect(isLightPage(shown(null))).toBe(true);
  expect(isLightPage(shown({ id: '1' }))).toBe(false);
});

it('is not where the page needs the application, or nobody knows who is looking', () => {
  expect(isLightPage(shown(null, { needsApp: true }))).toBe(false);
  expect(isLightPage(shown(null, {}))).toBe(true);
  expect(isLightPage(shown(undefined))).toBe(false);
});
