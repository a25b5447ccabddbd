const SWITCH = 'lesson-keys';

// A single letter must be possible to switch off (WCAG 2.1.4): people who speak to their computer type by accident.
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
