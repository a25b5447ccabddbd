const SWITCH = 'lesson-keys';

// WCAG 2.1.4: single-letter shortcuts must be possible to turn off, because speech input types by accident.
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== 'off';
  } catch {
    return true;
  }
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off');
}
