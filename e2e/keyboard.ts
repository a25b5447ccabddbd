import type { Locator, Page } from 'playwright-core';

const FURTHEST = 400;

type Stop = { isGoal: boolean; isOutside: boolean; what: string; faults: string[] };

/** A keyboard user. Checks each focus stop on the way and collects faults. */
export class Keyboard {
  readonly faults: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Opens a page and checks that the first stop is the link to the content. */
  async open(path: string): Promise<void> {
    await this.#page.goto(path);
    await this.#page.keyboard.press('Tab');
    const { what, faults } = await this.#stop(false);
    this.faults.push(...faults);
    if (!what.includes('Skip to content')) this.faults.push(`${path} starts with ${what}`);
  }

  /** Follows the link to the content. */
  async skip(): Promise<void> {
    await this.#page.keyboard.press('Enter');
  }

  /**
   * Presses Tab until the goal has the focus; gives up when the page ends for the third time. The focus also leaves the
   * page when the focused element is replaced, so an end may not be real.
   */
  async to(goal: Locator): Promise<void> {
    await this.#mark(goal);
    let ends = 0;
    for (let step = 0; step < FURTHEST && ends < 3; step += 1) {
      const { isGoal, isOutside, faults } = await this.#stop(step > 0);
      this.faults.push(...faults);
      if (isGoal) return;
      if (isOutside) {
        ends += 1;
        await this.#mark(goal);
      }
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${String(goal)}`);
  }

  async #mark(goal: Locator): Promise<void> {
    await goal.first().waitFor();
    await this.#page.evaluate(() =>
      document.querySelectorAll('[data-goal]').forEach((element) => element.removeAttribute('data-goal')),
    );
    await goal.evaluateAll((elements) => elements.forEach((element) => element.setAttribute('data-goal', '')));
  }

  /** Presses Tab until the end of the page, at most this many times. */
  async walk(stops: number): Promise<void> {
    for (let step = 0; step < stops; step += 1) {
      await this.#page.keyboard.press('Tab');
      const { isOutside, faults } = await this.#stop(true);
      this.faults.push(...faults);
      if (isOutside) return;
    }
  }

  async press(goal: Locator, key = 'Enter'): Promise<void> {
    await this.to(goal);
    await this.#page.keyboard.press(key);
  }

  async fill(goal: Locator, words: string): Promise<void> {
    await this.to(goal);
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.type(words);
  }

  /** Checks the focused element: visible, with a focus ring and, after Tab, in document order. */
  async #stop(isStep: boolean): Promise<Stop> {
    return await this.#page.evaluate(lookAtFocus, isStep);
  }
}

/** Runs in the page. */
function lookAtFocus(isStep: boolean): Stop {
  const element = document.activeElement;
  const memory = window as { lastStop?: Element };
  if (!element || element === document.body) {
    delete memory.lastStop;
    return { isGoal: false, isOutside: true, what: 'nothing', faults: [] };
  }
  const isGoal = element.hasAttribute('data-goal');
  const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
  const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? element.name) : words;
  const what = `${location.pathname} <${element.localName}> ${label.trim().slice(0, 40)}`;
  const faults: string[] = [];
  const last = isStep ? memory.lastStop : undefined;
  memory.lastStop = element;
  // Elements that scripts focus, such as the main part after a link, need no ring.
  if (!(element instanceof HTMLElement) || element.tabIndex < 0) return { isGoal, isOutside: false, what, faults };

  if (
    last?.isConnected &&
    last !== element &&
    !(last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
  )
    faults.push(`${what} precedes the previous stop in the document`);
  if (!hasFocusRing(element)) faults.push(`${what} has no focus ring`);
  if (isCovered(element)) faults.push(`${what} is covered`);
  return { isGoal, isOutside: false, what, faults };

  /** A ring of at least 2 px with a contrast of 3 to 1 to its surroundings. */
  function hasFocusRing(focused: HTMLElement): boolean {
    const style = getComputedStyle(focused);
    if (style.outlineStyle === 'none' || Number.parseFloat(style.outlineWidth) < 2) return false;
    const edge = style.boxShadow.match(/rgba?\([^)]*\)/)?.[0];
    const around = groundOf(focused.parentElement);
    return [style.outlineColor, edge].some((colour) => colour !== undefined && ratio(colour, around) >= 3);
  }
  function groundOf(start: Element | null): string {
    for (let at = start; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  }
  function ratio(one: string, other: string): number {
    const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }
  function luminance(colour: string): number {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  /** Whether it is completely covered: WCAG 2.4.11. */
  function isCovered(focused: HTMLElement): boolean {
    const { left, top, width, height } = focused.getBoundingClientRect();
    const parts = [0.05, 0.25, 0.5, 0.75, 0.95];
    return !parts.some((across) =>
      parts.some((down) => {
        const hit = document.elementFromPoint(left + width * across, top + height * down);
        return (
          hit !== null && (focused.contains(hit) || hit.contains(focused) || hit.closest('label')?.contains(focused))
        );
      }),
    );
  }
}
