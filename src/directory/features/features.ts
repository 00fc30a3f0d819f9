/** Abilities of the whole instance that are off until its owner turns them on. */
export interface Features {
  /** Token exchange (RFC 8693). */
  readonly tokenExchange: boolean;
}

export const featuresAtStart: Features = { tokenExchange: false };

/** The one key under which the features are cached. */
export const featuresKey = 'features';
