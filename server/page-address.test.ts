import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, it } from 'vitest';
import routes from '../web/app/routes.ts';
import { PAGES, pagePath } from './page-address.ts';

function pathsOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = [above, entry.path].filter(Boolean).join('/');
    return [...(entry.file.endsWith('.page.tsx') ? [path] : []), ...pathsOf(entry.children ?? [], path)];
  });
}

describe('the address of a page', () => {
  it.each(Object.entries(PAGES))('of %s is a page of the web', async (_, path) => {
    expect(pathsOf(await routes)).toContain(path.split(/[?#]/)[0]);
  });

  it('contains its escaped values in order, and an anchor', () => {
    expect(pagePath(['lesson', 'plain', 'write', 'who'])).toBe('/courses/plain/write/who');
    expect(pagePath(['article', 'über/uns'])).toBe('/articles/%C3%BCber%2Funs');
    expect(pagePath(['post', 'city', 'p1'], 'r2')).toBe('/communities/city/activities/p1#r2');
    expect(pagePath(['myLearning'], null)).toBe('/me/learning');
    expect(pagePath(['refusedRegistration'])).toBe('/#registration');
  });
});
