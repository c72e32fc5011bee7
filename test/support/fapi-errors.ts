// What /fapi answers when it refuses, as status and body.

export const error = (code: number, msg: string, status = 400) => ({ status, body: { code, msg } });

export const mandatory = (name: string) =>
  error(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);

export const illegal = (name: string) =>
  error(-1100, `Illegal characters found in parameter '${name}'.`);

export const invalid = (name: string) =>
  error(-1130, `Data sent for parameter '${name}' is not valid.`);

export const notRequired = (name: string) =>
  error(-1106, `Parameter '${name}' sent when not required.`);

export const filter = (name: string) => error(-1013, `Filter failure: ${name}.`);
