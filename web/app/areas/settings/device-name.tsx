import { Laptop, MonitorSmartphone, Smartphone } from 'lucide-react';
import type { Text } from '../../text.tsx';
import type { Device } from '../../ui/device.ts';

/** “Firefox on Android”, or what is known of it. */
export function deviceName({ t }: Text, { browser, system }: Device): string {
  if (browser && system) return t('account.device', { browser, system });
  return browser ?? system ?? t('account.device_unknown');
}

export function deviceIcon({ system }: Device) {
  if (system === 'Android' || system === 'iPhone' || system === 'iPad') return Smartphone;
  return system ? Laptop : MonitorSmartphone;
}
