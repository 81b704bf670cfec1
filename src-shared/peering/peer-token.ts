/** A bearer token of a peer: 16 to 512 characters that a header can hold. */
export const PEER_TOKEN: RegExp = /^[A-Za-z0-9._~+/=-]{16,512}$/;
