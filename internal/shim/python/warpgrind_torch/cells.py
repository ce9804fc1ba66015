"""Cells of recurrent networks. PyTorch has kernels for them on the device alone; here they are made of other operators."""

import torch


def lstm(input_gates, hidden_gates, cx, input_bias=None, hidden_bias=None):
    i, f, g, o = biased(input_gates, input_bias).add(biased(hidden_gates, hidden_bias)).chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat((i, f, g, o), 1)


def lstm_backward(grad_hy, grad_cy, cx, cy, workspace, has_bias):
    i, f, g, o = workspace.chunk(4, 1)
    t = cy.tanh()
    grad_hy = torch.zeros_like(cy) if grad_hy is None else grad_hy
    grad_c = grad_hy * o * (1 - t * t)
    if grad_cy is not None:
        grad_c = grad_c + grad_cy
    gates = torch.cat((grad_c * g * i * (1 - i), grad_c * cx * f * (1 - f), grad_c * i * (1 - g * g), grad_hy * t * o * (1 - o)), 1)
    return gates, grad_c * f, gates.sum(0) if has_bias else None


def gru(input_gates, hidden_gates, hx, input_bias=None, hidden_bias=None):
    ir, iz, i = biased(input_gates, input_bias).chunk(3, 1)
    hr, hz, h = biased(hidden_gates, hidden_bias).chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (i + r * h).tanh()
    return n + z * (hx - n), torch.cat((r, z, n, hx, h), 1)


def gru_backward(grad_hy, workspace, has_bias):
    r, z, n, hx, h = workspace.chunk(5, 1)
    grad_z, grad_n = grad_hy * (hx - n) * z * (1 - z), grad_hy * (1 - z) * (1 - n * n)
    grad_r = grad_n * h * r * (1 - r)
    of_input, of_hidden = torch.cat((grad_r, grad_z, grad_n), 1), torch.cat((grad_r, grad_z, grad_n * r), 1)
    biases = (of_input.sum(0), of_hidden.sum(0)) if has_bias else (None, None)
    return of_input, of_hidden, grad_hy * z, *biases


def biased(gates, bias):
    return gates if bias is None else gates + bias


KERNELS = {
    "aten::_thnn_fused_lstm_cell": lstm,
    "aten::_thnn_fused_lstm_cell_backward_impl": lstm_backward,
    "aten::_thnn_fused_gru_cell": gru,
    "aten::_thnn_fused_gru_cell_backward": gru_backward,
}
