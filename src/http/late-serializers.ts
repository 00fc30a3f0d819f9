import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const selectFactory = SerializerSelector();

/**
 * Makes the serializer of a response when a route first sends that response. Fastify makes them all at the start,
 * although a process may never need most of them.
 */
export const lateSerializers: typeof selectFactory = (schemas, options) => {
  const compile = selectFactory(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (response) => {
      serialize ??= compile(route);
      return serialize(response);
    };
  };
};
