"""A client of the service in Python, for specs: client.py PORT [CA CERTIFICATE KEY].

Each line of its input is a call, as JSON: method, request, headers, and times for calls at once. It prints a line for each: the
answers, and the codes and reasons of failures. A call of Watch has a line for each status, and one for its end. Messages are
JSON as protocol buffers define it.
"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf import json_format

import health_pb2
import health_pb2_grpc
import ratelimit_pb2
import ratelimit_pb2_grpc


def channel_of(port, *files):
    if not files:
        return grpc.insecure_channel(f"127.0.0.1:{port}")
    ca, certificate, key = (open(file, "rb").read() if file else None for file in files)
    return grpc.secure_channel(f"127.0.0.1:{port}", grpc.ssl_channel_credentials(ca, key, certificate))


def one(call):
    method, kind = METHODS[call["method"]]
    request = json_format.ParseDict(call["request"], kind())
    try:
        reply = method(request, timeout=30, metadata=list(call.get("headers", {}).items()))
        if call["method"] == "Watch":
            for each in reply:
                print(json.dumps([{"watched": json_of(each)["status"]}]), flush=True)
            return {"watched": None}
        return {"reply": json_of(reply)}
    except grpc.RpcError as error:
        return {"code": error.code().value[0], "details": error.details()}


def json_of(message):
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


with channel_of(*sys.argv[1:]) as channel, ThreadPoolExecutor(64) as pool:
    health = health_pb2_grpc.HealthStub(channel)
    METHODS = {
        "ShouldRateLimit": (
            ratelimit_pb2_grpc.RateLimitServiceStub(channel).ShouldRateLimit,
            ratelimit_pb2.RateLimitRequest,
        ),
        "Check": (health.Check, health_pb2.HealthCheckRequest),
        "Watch": (health.Watch, health_pb2.HealthCheckRequest),
    }
    for line in sys.stdin:
        call = json.loads(line)
        answers = list(pool.map(one, [call] * call.get("times", 1)))
        print(json.dumps(answers), flush=True)
