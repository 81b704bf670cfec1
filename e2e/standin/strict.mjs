const HARMLESS = new Set(['then', 'toJSON', 'constructor']);

/** What the app asked the system for, in order, for tests to look at: `{ api, args }`. */
export const calls = [];

/** Notes a call for which the stand-in does nothing. */
export const record = (api, ...args) => {
  calls.push({ api, args });
};

/**
 * An object that throws when something is read from it that the stand-in does not have: a test never passes on a guess.
 */
export const strict = (name, target) =>
  new Proxy(target, {
    get(object, key) {
      if (!(key in object)) {
        if (typeof key === 'symbol' || HARMLESS.has(key)) return undefined;
        throw new Error(`electron stand-in: ${name}.${key} is not there`);
      }
      const value = Reflect.get(object, key);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
