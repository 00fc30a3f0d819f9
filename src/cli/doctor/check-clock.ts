import type { Finding } from './finding.js';

/** The time of a store, and when this machine asked and got it, in milliseconds since 1970. */
export interface ClockReading {
  readonly of: string;
  readonly began: number;
  readonly ended: number;
  readonly time: number;
}

const check = 'clock';
/** Clocks of a network that is in order differ by less. */
const unusualMs = 2_000;
/** A code of an authenticator app is valid for 30 s before and after (RFC 6238 section 5.2). */
const harmfulMs = 30_000;

/** Compares the clock of this machine with those of the stores. The way of the answer counts for neither. */
export function checkClock(readings: readonly ClockReading[]): Finding[] {
  if (readings.length === 0) return [{ check, state: 'skipped', text: 'No store told its time' }];
  return readings.map(({ of, began, ended, time }) => {
    const behind = Math.max(0, time - ended);
    const ahead = Math.max(0, began - time);
    const ms = Math.round(Math.max(behind, ahead));
    const text = `This machine and ${of} differ by ${ms < 10 ? 'less than 10' : ms} ms`;
    if (ms <= unusualMs) return { check, state: 'ok', text };
    return {
      check,
      state: ms > harmfulMs ? 'failed' : 'warning',
      text: `This machine is ${ms / 1000} s ${behind > 0 ? 'behind' : 'ahead of'} ${of}`,
      remedy:
        'Set the clocks of both by NTP, for example with chrony. Tokens and one-time codes are refused by a clock that is wrong.',
    };
  });
}
