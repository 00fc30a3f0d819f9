/** Features of the whole instance. All are off until an owner of the instance turns them on. */
export interface Features {
  /** Token exchange (RFC 8693). */
  readonly tokenExchange: boolean;
}

export const featuresAtStart: Features = { tokenExchange: false };

/** The only key in the cache of the features. */
export const featuresKey = 'features';
