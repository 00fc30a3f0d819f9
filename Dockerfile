FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY workers workers
COPY dev/bundle.ts dev/compile-cache.ts dev/
COPY README.md SECURITY.md ./
COPY docs docs
RUN node --import=tsx dev/bundle.ts && npm prune --omit=dev --no-audit --no-fund

# The same image runs both processes. compose and k8s choose the command.
FROM node:24.21.0-bookworm-slim
# The live data of a process is far smaller than this. Without a limit, the garbage of Node.js grows with the memory of
# the machine.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 NODE_OPTIONS="--max-old-space-size=512 --max-semi-space-size=32"
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN ln -s /app/dist/src/cli/main.js /usr/local/bin/muster && chmod 755 dist/src/cli/main.js && install -d -o node compile-cache
USER node
# The compiled code of the programs, for a quick start. It counts only for this user, these options and this version of Node.js.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN --mount=type=bind,from=build,source=/app/dev,target=/app/dev node dev/compile-cache.ts
# Node.js runs what lies there, so the programs may only read it.
USER root
RUN chown -R root:root compile-cache && chmod -R a+rX,go-w compile-cache
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "dist/src/server.js"]
