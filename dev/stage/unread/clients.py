"""Clients that send requests to a server of this machine, and read nothing or slowly.

Node.js can set neither TCP_MAXSEG nor SO_RCVBUF. Without them the kernel of a loopback connection takes 2.6 MB of a response
that nobody reads.

The first line of the standard input has the options in JSON, see unread-clients.ts. The standard output has the counts, one JSON
object a line. The program ends when its input closes, at the latest after the time of the options.
"""

import errno
import json
import re
import resource
import select
import socket
import struct
import sys
import time

MOST_CONNECTIONS = 4_096
MOST_SECONDS = 300
TICK = 0.05
HOST = "127.0.0.1"
STATUS = re.compile(rb"HTTP/1\.\d (\d{3})")
ENDS = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR


class Client:
    """One connection. It is open from the first byte of its handshake until either side ends it."""

    def __init__(self, sock):
        self.sock = sock
        self.is_connected = False
        self.sent = 0
        self.has_status = False


class Clients:
    def __init__(self, options):
        self.options = options
        self.request = options["request"].encode("utf-8")
        self.pipelined = options["pipelined"]
        self.payload = memoryview(self.request * self.pipelined)
        self.rate = options["readBytesPerSecond"]
        self.poll = select.epoll()
        self.open = {}
        self.started = 0
        self.counts = {"opened": 0, "refused": 0, "ended": 0, "reset": 0, "requests": 0, "bytesRead": 0}
        self.statuses = {}

    def report(self):
        connected = sum(1 for client in self.open.values() if client.is_connected)
        return json.dumps({**self.counts, "open": connected, "statuses": self.statuses})

    def start(self):
        """Begins a connection."""
        options = self.options
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setblocking(False)
        # The handshake tells the server the segment size and the window, so both are set before it.
        if options["mss"] > 0:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, options["mss"])
        if options["receiveBuffer"] > 0:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, options["receiveBuffer"])
        # A close sends a reset, so that the server learns of it at once.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.started += 1
        try:
            sock.bind((options["from"], 0))
            code = sock.connect_ex((HOST, options["port"]))
        except OSError as error:
            code = error.errno
        if code not in (0, errno.EINPROGRESS):
            sock.close()
            self.counts["refused"] += 1
            return
        self.open[sock.fileno()] = Client(sock)
        self.poll.register(sock.fileno(), select.EPOLLOUT | select.EPOLLIN | select.EPOLLRDHUP)

    def fill(self, began):
        """Begins the connections that are missing, at the rate of the options."""
        options = self.options
        missing = options["connections"] - (len(self.open) if options["reopen"] else self.started)
        if options["connectionsPerSecond"] > 0:
            by_now = int((time.monotonic() - began) * options["connectionsPerSecond"]) + 1
            missing = min(missing, by_now - self.started)
        for _ in range(missing):
            self.start()

    def drop(self, fd, is_reset):
        client = self.open.pop(fd)
        self.poll.unregister(fd)
        client.sock.close()
        if not client.is_connected:
            self.counts["refused"] += 1
            return
        self.counts["ended"] += 1
        if is_reset:
            self.counts["reset"] += 1

    def look(self, client):
        """Learns the status of the first response without taking it from the buffer."""
        if client.has_status:
            return
        match = STATUS.match(client.sock.recv(16, socket.MSG_PEEK))
        if match:
            client.has_status = True
            status = match.group(1).decode()
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def wanted(self, client):
        """The events that a connection waits for. An event that is not wanted would wake the loop all the time."""
        events = select.EPOLLRDHUP
        if client.sent < len(self.payload):
            events |= select.EPOLLOUT
        if not client.has_status:
            events |= select.EPOLLIN
        return events

    def handle(self, fd, events):
        client = self.open.get(fd)
        if client is None:
            return
        try:
            if not client.is_connected:
                code = client.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if code != 0:
                    return self.drop(fd, True)
                if events & select.EPOLLOUT:
                    client.is_connected = True
                    self.counts["opened"] += 1
            if events & select.EPOLLIN:
                self.look(client)
            if events & ENDS:
                code = client.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                return self.drop(fd, code != 0)
            if events & select.EPOLLOUT and client.sent < len(self.payload):
                before = client.sent // len(self.request)
                client.sent += client.sock.send(self.payload[client.sent :])
                self.counts["requests"] += client.sent // len(self.request) - before
            self.poll.modify(fd, self.wanted(client))
        except BlockingIOError:
            pass
        except OSError:
            self.drop(fd, True)

    def read(self, seconds):
        """Reads what every connection may read in this time."""
        most = max(1, int(self.rate * seconds))
        for fd, client in list(self.open.items()):
            if not client.is_connected:
                continue
            try:
                self.look(client)
                chunk = client.sock.recv(most)
                self.counts["bytesRead"] += len(chunk)
                if chunk == b"":
                    self.drop(fd, False)
            except BlockingIOError:
                pass
            except OSError:
                self.drop(fd, True)

    def run(self):
        stdin = sys.stdin.fileno()
        self.poll.register(stdin, select.EPOLLIN)
        began = ticked = time.monotonic()
        until = began + min(self.options["seconds"], MOST_SECONDS)
        last = ""
        self.fill(began)
        while time.monotonic() < until:
            for fd, events in self.poll.poll(TICK):
                if fd == stdin:
                    return
                self.handle(fd, events)
            now = time.monotonic()
            if now - ticked < TICK:
                continue
            self.fill(began)
            if self.rate > 0:
                self.read(now - ticked)
            ticked = now
            report = self.report()
            if report != last:
                print(report, flush=True)
                last = report


def main():
    options = json.loads(sys.stdin.readline())
    if not options["from"].startswith("127."):
        sys.exit("only addresses of this machine")
    options["connections"] = min(options["connections"], MOST_CONNECTIONS)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = options["connections"] + 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough if hard < 0 else min(enough, hard), hard))
    clients = Clients(options)
    try:
        clients.run()
        print(clients.report(), flush=True)
    except BrokenPipeError:
        pass


main()
