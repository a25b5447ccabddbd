import { afterEach, expect, it, vi } from 'vitest';
import { isLeftAsSent, leaveAsSent } from './hydration.ts';

const replace = vi.fn<(address: string) => void>();

function openTab(storage: Partial<Storage>): void {
  vi.stubGlobal('location', { pathname: '/courses', href: 'https://learn.example.gov/courses', replace });
  vi.stubGlobal('reportError', () => {});
  vi.stubGlobal('sessionStorage', storage);
}
afterEach(() => {
  vi.unstubAllGlobals();
  replace.mockClear();
});

it('loads a page again once, which then stays as sent', () => {
  const kept = new Map<string, string>();
  openTab({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) });
  expect(isLeftAsSent()).toBe(false);
  leaveAsSent(new Error('mismatch'));
  expect(replace).toHaveBeenCalledExactlyOnceWith('https://learn.example.gov/courses');
  expect(isLeftAsSent()).toBe(true);
});

it('hydrates, and never loads a page again, in a browser that refuses to store', () => {
  const refuse = () => {
    throw new DOMException('Access is denied', 'SecurityError');
  };
  openTab({ getItem: refuse, setItem: refuse });
  expect(isLeftAsSent()).toBe(false);
  leaveAsSent(new Error('mismatch'));
  expect(replace).not.toHaveBeenCalled();
});
