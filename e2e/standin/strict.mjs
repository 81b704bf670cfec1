const HARMLESS = new Set(['then', 'toJSON', 'constructor']);

/** The calls that the app made to the system, in order, as `{ api, args }`. Tests read them. */
export const calls = [];

/** Records a call for which the stand-in does nothing else. */
export const record = (api, ...args) => {
  calls.push({ api, args });
};

/**
 * An object that throws when the app reads a member that the stand-in does not have. A test therefore never passes on a
 * guess.
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
